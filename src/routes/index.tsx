import { createFileRoute } from '@tanstack/react-router'

/** Nothing to show: the gate redirects everybody from here. */
export const Route = createFileRoute('/')({ component: () => null })
