import { createFileRoute } from '@tanstack/react-router'
import { PlainPage } from '../blocks/PlainPage.tsx'

export const Route = createFileRoute('/register')({
  component: () => <PlainPage title="Create new account" line="Applications cannot be made here yet." />,
})
