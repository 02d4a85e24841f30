const WHOLE = 'M2 1h14a2 2 0 0 0 4 0h4v14h-4a2 2 0 0 0-4 0H2Z'
const BODY = 'M1 1h13a2 2 0 0 0 2 2v10a2 2 0 0 0-2 2H1Z'
const STUB = 'M25 1h-3a2 2 0 0 1-2 2v10a2 2 0 0 1 2 2h3Z'

interface Shape {
  lines?: string
  dashes?: string
  filled?: string
}

const SHAPES = {
  whole: { lines: `${WHOLE}M18 6v1M18 9v1` },
  held: { lines: WHOLE, filled: 'M2 1h14v14H2Z' },
  torn: { lines: BODY + STUB, filled: STUB },
  'torn, hollow': { lines: BODY, dashes: STUB },
  'torn, unsure': { dashes: BODY + STUB },
  dashed: { dashes: WHOLE },
  back: { lines: `${WHOLE}M8 6h6a2.5 2.5 0 0 1 0 5H9M10 4 8 6l2 2` },
  struck: { lines: `${WHOLE}M5 13 15 3` },
} as const satisfies Record<string, Shape>

/** The text colour of each tone. */
const TONES = { live: 'text-link', warn: 'text-warn-text', gone: 'text-muted', bad: 'text-danger-text' } as const

export interface TicketLook {
  shape: keyof typeof SHAPES
  tone: keyof typeof TONES
}

/** Shows a voucher's state in a list: a small ticket beside the word. Badges are only for accounts. */
export function TicketMark({ shape, tone, word }: TicketLook & { word: string }) {
  const { lines, dashes, filled }: Shape = SHAPES[shape]
  return (
    <span className={`inline-flex items-center gap-2 align-middle whitespace-nowrap ${TONES[tone]}`}>
      <svg
        className="block h-4 w-[1.625rem] flex-none fill-none stroke-current stroke-[1.5]"
        viewBox="0 0 26 16"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={lines} />
        <path strokeDasharray="2.5 2" d={dashes} />
        <path className="fill-current" stroke="none" d={filled} />
      </svg>
      <span className={tone === 'gone' ? undefined : 'text-text'}>{word}</span>
    </span>
  )
}
