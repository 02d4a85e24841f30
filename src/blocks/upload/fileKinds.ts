import { LIMITS } from '../../contract/limits.ts'
import type { UploadKind } from '../../contract/uploads.ts'

interface FileKind {
  /** Of the browser's file dialog; what is inside decides (`inspectFile`). */
  accept: string
  hint: string
  /** What the cropper makes, in pixels; only for images. */
  crop?: { width: number; height: number }
}

const { brandLogoKb, profileLogoKb, profileLogoWidth, profileLogoHeight, agreementMb } = LIMITS

/** Spec §5 and §9: what is asked for, said before anything is chosen. */
export const FILE_KINDS: Record<UploadKind, FileKind> = {
  brand_logo: {
    accept: '.jpg,.jpeg,.png,image/jpeg,image/png',
    hint: `JPEG or PNG, 3:2, under ${brandLogoKb}KB. Best is 160 × 107 px, under 50KB.`,
    crop: { width: 160, height: 107 },
  },
  profile_logo: {
    accept: '.jpg,.jpeg,.png,image/jpeg,image/png',
    hint: `JPEG or PNG, at most ${profileLogoWidth} × ${profileLogoHeight} px and ${profileLogoKb}KB.`,
    crop: { width: profileLogoWidth, height: profileLogoHeight },
  },
  merchant_agreement: { accept: '.pdf,application/pdf', hint: `PDF only, under ${agreementMb}MB.` },
}
