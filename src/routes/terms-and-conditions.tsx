import { createFileRoute } from '@tanstack/react-router'
import { PdfLink } from '../blocks/legal/PdfLink.tsx'
import { termsPdf } from '../contract/merchants/signup.ts'
import { TERMS_AND_CONDITIONS } from '../domain/legal/termsAndConditions.ts'
import { LegalPage } from '../features/legal/LegalPage.tsx'

export const Route = createFileRoute('/terms-and-conditions')({
  component: () => (
    <LegalPage document={TERMS_AND_CONDITIONS} actions={<PdfLink of={termsPdf}>Download PDF</PdfLink>} />
  ),
})
