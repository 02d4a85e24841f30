export type ButtonVariant = 'plain' | 'primary' | 'approve' | 'reject' | 'danger' | 'quiet' | 'text' | 'icon'

export interface ButtonLook {
  /** `plain` is outlined; `icon` is a square for an icon alone, which then needs an aria-label. */
  variant?: ButtonVariant
  wide?: boolean
  big?: boolean
}

/** For links that look like buttons; Button uses it too. */
export function buttonClass({ variant = 'plain', wide, big }: ButtonLook = {}): string {
  return ['btn', variant !== 'plain' && variant, wide && 'wide', big && 'big'].filter(Boolean).join(' ')
}
