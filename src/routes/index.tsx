import { createFileRoute } from '@tanstack/react-router'

/** Shows nothing, because the gate redirects every visitor. */
export const Route = createFileRoute('/')({ component: () => null })
