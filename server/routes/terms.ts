import { TERMS_AND_CONDITIONS } from '../../src/domain/legal/termsAndConditions.ts'
import type { Routes } from '../http/Route.ts'
import { legalPdf } from '../pdf/legalPdf.ts'

/** Made once: neither the words nor the bytes change while the server runs. */
let made: Promise<Buffer> | undefined

export const termsRoutes: Pick<Routes, 'signup.termsPdf'> = {
  'signup.termsPdf': {
    identify: 'nobody',
    async handle() {
      const bytes = await (made ??= legalPdf(TERMS_AND_CONDITIONS))
      return {
        filename: `Terms and conditions ${TERMS_AND_CONDITIONS.version}.pdf`,
        contentType: 'application/pdf',
        pieces: whole(bytes),
        release: () => Promise.resolve(),
        headers: { 'content-length': String(bytes.byteLength) },
      }
    },
  },
}

// oxlint-disable-next-line typescript/require-await -- a file answer is read piece by piece, however many there are
async function* whole(bytes: Uint8Array) {
  yield bytes
}
