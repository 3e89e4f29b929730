/** Text as it came, in a box that scrolls; it can be reached by keyboard, so that it can be scrolled by it. */
export function RawText({ label, text }: { label: string; text: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="raw-text" role="region" tabIndex={0} aria-label={label}>
      {text}
    </pre>
  );
}
