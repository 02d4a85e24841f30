import { formatFullDay, startOfDay } from './singaporeTime.ts'
import type { LegalDocument } from './legal/LegalDocument.ts'

/** `Version 1.0, in force from 21 November 2026` */
export const versionLine = ({ version, inForceFrom }: LegalDocument): string =>
  `Version ${version}, in force from ${formatFullDay(startOfDay(inForceFrom))}`
