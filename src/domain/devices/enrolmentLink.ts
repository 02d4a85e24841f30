/** What the QR code of an enrolment holds: it opens the counter at `origin`, which asks for a login where nobody is logged in. */
export const enrolmentLink = (origin: string, code: string): string => `${origin}/redeem?code=${code}`

/** The code in such a link, of whatever portal it is; undefined for anything else. */
export function codeInLink(text: string): string | undefined {
  const [, code] = /^https?:\/\/[^\s?#]+\/redeem\?code=(\w{8})$/.exec(text) ?? []
  return code
}
