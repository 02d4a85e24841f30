import { FIRST_ICONS, type Drawing } from './Icon.tsx'

export const ICONS = {
  ...FIRST_ICONS,
  user: (
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4 21c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5" />
    </>
  ),
  masters: (
    <>
      <circle cx="9" cy="8" r="3.5" />
      <path d="M2.5 20c0-3.5 2.8-5.5 6.5-5.5s6.5 2 6.5 5.5M16 4.8a3.5 3.5 0 0 1 0 6.4M18.5 15c2 .8 3 2.4 3 5" />
    </>
  ),
  store: <path d="M4 10v10h16V10M3 10l2-6h14l2 6M3 10a3 3 0 0 0 6 0 3 3 0 0 0 6 0 3 3 0 0 0 6 0M10 20v-5h4v5" />,
  ticket: <path d="M3 6h11a2 2 0 0 0 4 0h3v12h-3a2 2 0 0 0-4 0H3ZM16 10.5v.01M16 13.5v.01" />,
  chart: <path d="M4 4v16h16M8 16v-4M12.5 16V8M17 16v-6" />,
  book: <path d="M4 5.5A2.5 2.5 0 0 1 6.5 3H20v18H6.5A2.5 2.5 0 0 1 4 18.5Zm0 13A2.5 2.5 0 0 1 6.5 16H20" />,
  download: <path d="M12 4v11M7 11l5 5 5-5M4 20h16" />,
  upload: <path d="M12 16V5M7 9l5-5 5 5M4 20h16" />,
  menu: <path d="M4 6h16M4 12h16M4 18h16" />,
  down: <path d="m6 9 6 6 6-6" />,
  right: <path d="m9 6 6 6-6 6" />,
  left: <path d="m15 6-6 6 6 6" />,
  search: (
    <>
      <circle cx="11" cy="11" r="7" />
      <path d="m20 20-4-4" />
    </>
  ),
  bell: <path d="M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15ZM10 21h4M12 5V3" />,
  more: <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />,
  keypad: (
    <path
      d="M6 5h.01M12 5h.01M18 5h.01M6 10h.01M12 10h.01M18 10h.01M6 15h.01M12 15h.01M18 15h.01M12 20h.01"
      strokeWidth="3"
    />
  ),
  check: <path d="m5 12.5 5 5L19.5 7" />,
  plus: <path d="M12 5v14M5 12h14" />,
  todo: <circle cx="12" cy="12" r="9" />,
  home: <path d="M4 11.5 12 4l8 7.5M6 10v10h12V10M10 20v-6h4v6" />,
  lock: (
    <>
      <rect x="5" y="11" width="14" height="9" rx="1.5" />
      <path d="M8 11V8a4 4 0 0 1 8 0v3" />
    </>
  ),
  file: <path d="M6 3h8l5 5v13H6ZM14 3v5h5" />,
  refresh: <path d="M20 5v5h-5M4 19v-5h5M19.5 10A8 8 0 0 0 5.5 7.5L4 9.5M4.5 14a8 8 0 0 0 14 2.5l1.5-2" />,
  camera: (
    <>
      <path d="M3 7h4l2-3h6l2 3h4v13H3Z" />
      <circle cx="12" cy="13" r="4" />
    </>
  ),
  light: <path d="M13 3 5 14h6l-1 7 8-11h-6Z" />,
  out: <path d="M14 4H5v16h9M10 12h11M17 8l4 4-4 4" />,
  arrowUp: <path d="M12 19V6M6.5 11 12 5.5 17.5 11" />,
  arrowDown: <path d="M12 5v13M6.5 13l5.5 5.5 5.5-5.5" />,
  back: <path d="M9 6h11v12H9l-6-6ZM12 9.5l5 5M17 9.5l-5 5" />,
  money: (
    <>
      <rect x="3" y="6" width="18" height="12" rx="1.5" />
      <circle cx="12" cy="12" r="2.5" />
      <path d="M6.5 12v.01M17.5 12v.01" />
    </>
  ),
  tablet: (
    <>
      <rect x="5" y="3" width="14" height="18" rx="2" />
      <path d="M12 17.5v.01" />
    </>
  ),
  image: (
    <>
      <rect x="3" y="5" width="18" height="14" rx="1.5" />
      <path d="m3 16 5-5 5 5 3-3 5 5M15.5 9.5v.01" />
    </>
  ),
  list: <path d="M8 6h12M8 12h12M8 18h12M4 6v.01M4 12v.01M4 18v.01" />,
  question: <path d="M7.5 8.5a4.5 4.5 0 1 1 6.6 4c-1.4.8-2.1 1.6-2.1 3M12 20v.01" />,
  wait: <path d="M12 5v7.5l4.5 2.5" />,
  filter: <path d="M4 6h16M7 12h10M10 18h4" />,
} satisfies Record<string, Drawing>

const COUNT_PLACES = {
  /** On the corner of its icon: there is no room beside it. */
  corner: 'absolute top-0 right-0',
  /** Beside the word, if it is shown. */
  word: 'narrow:absolute narrow:top-0 narrow:right-0',
} as const

/**
 * A number on a control that is `relative`. The space before the number keeps it apart from the word, so that voice control finds
 * the control.
 */
export const Count = ({ at = 'corner', children }: { at?: keyof typeof COUNT_PLACES; children: number }) => (
  <span
    className={`min-w-5 rounded-pill bg-fill px-[0.375rem] text-center text-xs/[1.25rem] font-strong text-on ${COUNT_PLACES[at]}`}
  >
    {` ${children}`}
  </span>
)
