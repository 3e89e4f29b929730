/** Text as it came, in a box that can be focused and scrolled by keyboard. */
export function RawText({ label, text }: { label: string; text: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="raw-text" role="region" tabIndex={0} aria-label={label}>
      {text}
    </pre>
  );
}
