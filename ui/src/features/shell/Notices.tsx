import { Icon } from '../../components/Icon';
import { ERRORS } from '../../errors/table';
import { useNotices } from '../../desk/notices';

/** Short news in the corner, and what screen readers are told. */
export function Notices() {
  const { notices, spoken, close } = useNotices();
  return (
    <>
      <div className="only-read spoken" role="status" aria-live="polite">
        {spoken}
      </div>
      <div className="notices" role="region" aria-label="News">
        {notices.map(({ id, text, error }) => (
          <div key={id} className="notice" role={error ? 'alert' : 'status'}>
            <span>
              {error && <strong>{ERRORS[error.boundary.code]?.title ?? ERRORS.internal.title}. </strong>}
              {text}
            </span>
            <button type="button" className="icon-button" aria-label="Close this message" onClick={() => close(id)}>
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}
