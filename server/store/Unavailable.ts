/** Another service that a call depends on is away, slow or refuses us: the request may be tried again. */
export class Unavailable extends Error {
  override name = 'Unavailable' as const
  readonly code: 'STORE_UNAVAILABLE' | 'CAPTCHA_UNAVAILABLE'

  constructor(code: Unavailable['code'], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.code = code
  }
}
