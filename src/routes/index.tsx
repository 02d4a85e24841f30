import { createFileRoute } from '@tanstack/react-router'

/** The gate sends everyone on from here; there is nothing to show. */
export const Route = createFileRoute('/')({ component: () => null })
