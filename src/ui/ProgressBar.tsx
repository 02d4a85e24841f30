const LINES = {
  most: 'h-3 w-[80%]',
  short: 'h-3 w-[4rem]',
  /** A placeholder for something at the right. */
  end: 'ml-auto h-3 w-12',
  plot: 'h-[14rem]',
} as const

/** A placeholder for a line of text. It takes its room at once and appears after 200 ms. */
export const Skeleton = ({ line = 'most' }: { line?: keyof typeof LINES }) => (
  <span className={`block animate-[late_200ms_step-end] rounded-1 bg-surface-hover ${LINES[line]}`} data-skeleton />
)

/** `value` is from 0 to 1. Without it the bar does not move, and only says that work is going on. */
export function ProgressBar({ label, value, className }: { label: string; value?: number; className?: string }) {
  return <progress className={className} aria-label={label} value={value ?? 0.35} max={1} />
}
