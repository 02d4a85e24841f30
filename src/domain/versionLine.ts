import { startOfDay } from './singaporeTime.ts'
import type { LegalDocument } from './LegalDocument.ts'

const DAY = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Singapore',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** `Version 1.0, in force from 21 November 2026` */
export const versionLine = ({ version, inForceFrom }: LegalDocument): string =>
  `Version ${version}, in force from ${DAY.format(startOfDay(inForceFrom))}`
