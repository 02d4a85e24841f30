import type { Sound } from '../../../blocks/vouchers/playSound.ts'
import { Icon, type Drawing } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'

/** The state of a voucher, which decides its colour, its sign and its sound (rule 9.16). */
export type Tone =
  | 'good'
  | 'redeemed'
  | 'uploading'
  | 'risk'
  | 'refused'
  | 'on hold'
  | 'unknown'
  | 'voided'
  | 'checking'

const TONE_ICONS: Record<Tone, Drawing> = {
  good: ICONS.check,
  redeemed: ICONS.check,
  uploading: ICONS.arrowUp,
  risk: ICONS.alert,
  refused: ICONS.x,
  'on hold': ICONS.wait,
  unknown: ICONS.question,
  voided: ICONS.back,
  checking: ICONS.wait,
}

/** The sound of each tone. `redeemed` and `uploading` have the same sound, so that a receipt that follows is silent. */
export const SOUNDS: Record<Tone, Sound | undefined> = {
  good: 'good',
  redeemed: 'redeemed',
  uploading: 'redeemed',
  risk: 'risk',
  refused: 'refused',
  'on hold': 'on hold',
  unknown: 'unchecked',
  voided: 'unchecked',
  checking: undefined,
}

const AMBER = 'text-verdict-ink [--checking-ink:var(--verdict-ink)] [--v:var(--verdict-risk)]'

/** The classes for the field of each tone. `checking` is no verdict, so it has no colour of its own. */
const TONES: Record<Tone, string> = {
  good: '',
  redeemed: 'text-verdict-text [--v:var(--verdict-redeemed)]',
  uploading: 'text-verdict-text [--v:var(--verdict-uploading)]',
  risk: AMBER,
  refused: 'text-verdict-text [--v:var(--verdict-refused)]',
  'on hold': AMBER,
  unknown: 'text-verdict-text [--v:var(--verdict-unknown)]',
  voided: 'text-verdict-text [--v:var(--verdict-unknown)]',
  checking: 'border-b border-border text-text [--checking-ink:var(--text)] [--v:var(--canvas)]',
}

/** The class for the dark disc of each light field. On other fields the disc is light. */
const DISCS: Partial<Record<Tone, string>> = {
  checking: 'bg-text',
  risk: 'bg-verdict-ink',
  'on hold': 'bg-verdict-ink',
}

/** Returns the classes for the field of a tone. */
export const toneClass = (tone: Tone): string => TONES[tone]

/** True if the field of this tone is light, with dark text. */
export const hasLightField = (tone: Tone): boolean => DISCS[tone] !== undefined

/** Shows the sign of a tone on a disc. */
export const ToneDisc = ({ tone, className }: { tone: Tone; className: string }) => (
  <span
    className={`grid place-items-center rounded-pill text-(--v) *:size-[65%] *:stroke-[2.5] forced-colors:border-2 ${DISCS[tone] ?? 'bg-verdict-text'} ${className}`}
  >
    <Icon drawing={TONE_ICONS[tone]} />
  </span>
)
