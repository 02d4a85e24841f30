import { formatInstant } from '../../domain/singaporeTime.ts'

/** A cell with a time, or the word Never. It is one element in both cases, so that a page translator breaks nothing. */
export const InstantOrNever = ({ at }: { at: string | null | undefined }) => (
  <span className={at ? undefined : 'text-muted'}>{at ? formatInstant(new Date(at)) : 'Never'}</span>
)
