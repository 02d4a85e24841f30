/** `value` from 0 to 1; without it the bar only says that something is going on, and does not move. */
export function ProgressBar({ label, value, className }: { label: string; value?: number; className?: string }) {
  return <progress className={className} aria-label={label} value={value ?? 0.35} max={1} />
}
