import type { ReactElement } from 'react'

/** A drawing on a grid of 24 px. */
export type Drawing = ReactElement

interface IconProps {
  drawing: Drawing
  size?: keyof typeof SIZES
  small?: boolean
  className?: string
}

/** Hidden from screen readers: it is beside a word, or in a control that has a name. */
export function Icon({ drawing, size = 'plain', small, className }: IconProps) {
  const look = `${STROKES} ${SIZES[small ? 'small' : size]}`
  return (
    <svg
      className={className ? `${look} ${className}` : look}
      viewBox="0 0 24 24"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {drawing}
    </svg>
  )
}

const STROKES = 'flex-none fill-none stroke-current'

const SIZES = {
  small: 'size-4 stroke-2',
  plain: 'size-5 stroke-[1.75]',
  large: 'size-[1.75rem] stroke-[1.75]',
} as const

/** The icons that the login can show. All others are separate, so that the login does not wait for them. */
export const FIRST_ICONS = {
  x: <path d="M6 6l12 12M18 6 6 18" />,
  alert: <path d="M12 4 2.5 20h19ZM12 10v4.5M12 17.2v.01" />,
  ok: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="m8 12.5 3 3 5.5-6" />
    </>
  ),
  offline: (
    <path d="M3 3l18 18M8.5 15.5a5 5 0 0 1 6.6-.4M5 12a10 10 0 0 1 4.4-2.6M13 9.1A10 10 0 0 1 19 12M2 8.6a15 15 0 0 1 4.5-2.8M10.5 4.6A15 15 0 0 1 22 8.6M12 19v.01" />
  ),
  online: <path d="M8.5 15.5a5 5 0 0 1 7 0M5 12a10 10 0 0 1 14 0M2 8.6a15 15 0 0 1 20 0M12 19v.01" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v5l3.5 2" />
    </>
  ),
  eye: (
    <>
      <path d="M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7S2 12 2 12Z" />
      <circle cx="12" cy="12" r="3" />
    </>
  ),
} satisfies Record<string, Drawing>
