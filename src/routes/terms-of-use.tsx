import { createFileRoute } from '@tanstack/react-router'
import { PlainPage } from '../blocks/PlainPage.tsx'

export const Route = createFileRoute('/terms-of-use')({
  component: () => <PlainPage title="Terms of use" line="The terms of use are not published here yet." />,
})
