import { createFileRoute } from '@tanstack/react-router'
import { PlainPage } from '../blocks/PlainPage.tsx'

export const Route = createFileRoute('/terms-and-conditions')({
  component: () => (
    <PlainPage title="Terms and conditions" line="The terms and conditions are not published here yet." />
  ),
})
