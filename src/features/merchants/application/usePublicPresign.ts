import * as v from 'valibot'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { useHumanProof } from '../../../blocks/accounts/captcha/useHumanProof.tsx'
import type { Presign } from '../../../blocks/uploads/useUpload.ts'
import { presignPublic } from '../../../contract/uploads.ts'

/** Where a visitor without an account sends a file of their application: every address costs a proof (UPL-09). */
export function usePublicPresign() {
  const { prove, prepare, box } = useHumanProof('upload')
  const presign: Presign<'brand_logo'> = async (announced, signal) => {
    const ask = async () => {
      const body = v.parse(presignPublic.body, { ...announced, captcha_token: await prove() })
      return call(presignPublic, { body, signal })
    }
    try {
      return await ask()
    } catch (error) {
      // A proof that expired on a slow connection: another one is made, once.
      if (error instanceof ApiError && error.code === 'CAPTCHA_INVALID') return ask()
      throw error
    }
  }
  return { presign, prepare, box }
}
