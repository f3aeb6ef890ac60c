/** All icons: one hand, one weight, on a grid of 20. */

const PATHS = {
  check: "M4.5 10.5l3.6 3.6 7.4-8.2",
  plus: "M10 4.5v11M4.5 10h11",
  pen: "M4 16l.8-3.4 8.3-8.3a1.6 1.6 0 012.3 0l.3.3a1.6 1.6 0 010 2.3l-8.3 8.3L4 16zM11.8 5.6l2.6 2.6",
  bin: "M4.5 6h11M8 6V4.4h4V6M6 6l.7 9.6h6.6L14 6M8.6 9v4M11.4 9v4",
  undo: "M7.5 5L4 8.3l3.5 3.3M4.3 8.3h7.2a4 4 0 010 8H8",
  send: "M10 16V4.6M5.2 9.2L10 4.4l4.8 4.8",
  mic: "M10 3.2a2.2 2.2 0 012.2 2.2v4.2a2.2 2.2 0 01-4.4 0V5.4A2.2 2.2 0 0110 3.2zM5.2 9.6a4.8 4.8 0 009.6 0M10 14.4V17",
  gear: "M3.5 6h6M13.5 6h3M3.5 14h3M10.5 14h6M11.5 4.2a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6zM8.5 12.2a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6z",
  trail: "M6 4.5h9M6 10h9M6 15.5h9M3 4.5h.01M3 10h.01M3 15.5h.01",
  back: "M11.8 4.5L6.3 10l5.5 5.5",
  search: "M9 3.8a5.2 5.2 0 100 10.4A5.2 5.2 0 009 3.8zM12.9 12.9l3.6 3.6",
  close: "M5.2 5.2l9.6 9.6M14.8 5.2l-9.6 9.6",
  sort: "M6.5 4.5v11M3.8 12.8l2.7 2.7 2.7-2.7M13.5 15.5v-11M10.8 7.2l2.7-2.7 2.7 2.7",
  clock: "M10 3.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM10 6.4V10l2.4 1.6",
  repeat:
    "M4 9.2V8a2.5 2.5 0 012.5-2.5H15M12.6 3.1L15 5.5l-2.4 2.4M16 10.8V12a2.5 2.5 0 01-2.5 2.5H5M7.4 12.1L5 14.5l2.4 2.4",
  tag: "M4 4.3h5.2l6.6 6.6a1.4 1.4 0 010 2l-3.2 3.2a1.4 1.4 0 01-2 0L4 9.5V4.3zM7 7.3h.01",
  bell: "M5.2 13.6V9a4.8 4.8 0 019.6 0v4.6M3.8 13.6h12.4M8.6 16.4h2.8M10 4.2V3",
  flag: "M5.5 17V3.8M5.5 4.4c3-1.6 5.4 1.5 9 .2v6.2c-3.6 1.3-6-1.8-9-.2",
  spark: "M10 3.4l1.6 4.4 4.6 1.8-4.6 1.8L10 16l-1.6-4.6-4.6-1.8 4.6-1.8L10 3.4z",
  shield: "M10 3l6 2.2v4.4c0 3.6-2.4 6-6 7.4-3.6-1.4-6-3.8-6-7.4V5.2L10 3zM7.2 10l2 2 3.6-4",
  talk: "M4 4.5h12v8.4H9.4L6 16v-3.1H4V4.5z",
  list: "M8 5.5h8M8 10h8M8 14.5h8M3.6 5.5l.7.7 1.3-1.4M3.6 10l.7.7 1.3-1.4M3.6 14.5l.7.7 1.3-1.4",
  machine: "M5.5 3.5h9a1 1 0 011 1v11a1 1 0 01-1 1h-9a1 1 0 01-1-1v-11a1 1 0 011-1zM4.5 8.4h11M7.3 5.6v1M7.3 10.6v2",
  alert: "M10 3.6l7 12.4H3L10 3.6zM10 8.2v3.4M10 13.8h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className = "size-5" }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 20 20"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark: something said, and done. */
export function Mark({ className = "size-7" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <path
        d="M8 3h16a6 6 0 016 6v10a6 6 0 01-6 6h-8.6l-6 4.6c-.7.5-1.4.1-1.4-.7V25a6 6 0 01-6-6V9a6 6 0 016-6z"
        className="fill-accent"
      />
      <path
        d="M9.6 14.2l4.4 4.4 8.6-9"
        className="stroke-on-accent"
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
