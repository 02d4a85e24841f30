import { LIMITS } from '../../contract/limits.ts'

export interface LogoFault {
  rule: 'ratio' | 'dimensions'
  message: string
}

/** What is wrong with the width and height of a logo in pixels (rule 13.1); `undefined` when nothing is. */
export function logoFault(
  kind: 'profile_logo' | 'brand_logo',
  { width, height }: { width: number; height: number },
): LogoFault | undefined {
  return kind === 'brand_logo' ? ratioFault(width, height) : dimensionsFault(width, height)
}

/** In whole numbers: 297 by 200 is off by exactly 1 %, and fractions would not agree. */
function ratioFault(width: number, height: number): LogoFault | undefined {
  const isOff = Math.abs(2 * width - 3 * height) * 100 > LIMITS.brandLogoRatioPercent * 3 * height
  return isOff ? { rule: 'ratio', message: 'Brand logo must have a 3:2 aspect ratio.' } : undefined
}

function dimensionsFault(width: number, height: number): LogoFault | undefined {
  const { profileLogoWidth: widest, profileLogoHeight: highest } = LIMITS
  if (width <= widest && height <= highest) return undefined
  return { rule: 'dimensions', message: `Profile logo must be at most ${widest}x${highest} px.` }
}
