import { createFileRoute } from '@tanstack/react-router'
import { PlainPage } from '../blocks/PlainPage.tsx'

export const Route = createFileRoute('/review')({
  component: () => <PlainPage title="Review" line="Applications cannot be reviewed here yet." />,
})
