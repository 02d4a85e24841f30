import type { ReactNode } from 'react'

/** A drawing for a page or a list without content: lines in the text's colour; what is filled is a stub. */
const draw = (lines: ReactNode) => (
  <svg
    className="h-[4.5rem] w-[6rem] fill-none stroke-current stroke-2 text-muted"
    viewBox="0 0 96 72"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {lines}
  </svg>
)

/** Dashed: not there. */
const DASHES = '5 5'

export const DRAWINGS = {
  /** The place of a ticket, and a stub that was left. */
  empty: draw(
    <>
      <path d="M10 18h44a5 5 0 0 0 10 0h6M10 18v36h44a5 5 0 0 1 10 0h6" strokeDasharray={DASHES} />
      <path className="fill-stub" d="m72 21 15 4-9 34-15-4 1-5 4-3-2-5 4-4-1-5 4-3-2-5Z" />
    </>,
  ),
  /** A signal that a tear cuts off. */
  offline: draw(
    <>
      <path d="M14 31a48 48 0 0 1 22-14M52 14a48 48 0 0 1 30 17M24 42a33 33 0 0 1 14-9M55 32a33 33 0 0 1 17 10" />
      <path d="m50 5-8 12 6 5-7 11 6 5-4 8" strokeDasharray={DASHES} />
      <path className="fill-stub" d="M37 52h22v14H37l3-4-3-3 3-3Z" />
    </>,
  ),
  /** A stub that drops into the box. */
  submitted: draw(
    <>
      <path className="fill-stub" d="M36 6h24v34H36V33l3-4-3-4 3-4-3-4Z" />
      <path d="M43 15h10M43 22h10" />
      <path d="M30 40H16l-4 10v16h72V50l-4-10H66M28 40h40M12 50h22l4 6h20l4-6h22" />
    </>,
  ),
  /** The mark. */
  approved: draw(
    <>
      <path className="fill-stub" d="m22 9 46-4a4 4 0 0 1 4 4v7L45 45 32 33l-12 4-2-24a4 4 0 0 1 4-4Z" />
      <path d="m19 45 12-3 14 14 29-29v36a4 4 0 0 1-4 4H23a4 4 0 0 1-4-4Z" />
    </>,
  ),
  /** A ticket that a pencil draws. */
  practice: draw(
    <>
      <path d="M10 20h38a5 5 0 0 0 10 0h8M10 20v36h38a5 5 0 0 1 10 0h20V44" strokeDasharray={DASHES} />
      <path d="m20 39 7 7 12-14" />
      <path className="fill-stub" d="m53 47 3-11L81 8l8 7-25 28Z" />
      <path d="m56 36 8 7M75 14l8 8" />
    </>,
  ),
  /** A ticket without its half. */
  notFound: draw(
    <>
      <path d="M46 16H12v40h30l4-7-6-6 6-8-5-6 7-6Z" />
      <path d="M22 30h10M22 38h7" />
      <path className="fill-stub" d="m66 29 22 7-10 30-24-8 6-5-3-8 7-3-3-7Z" />
      <path d="M54 16h32v9" strokeDasharray={DASHES} />
    </>,
  ),
}
