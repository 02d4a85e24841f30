import { opaqueToken } from './bricks.ts'

/** Single use, two minutes, for one action (cases SGN-02). */
export const captchaProof = opaqueToken
