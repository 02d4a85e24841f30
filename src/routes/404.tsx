import { createFileRoute } from '@tanstack/react-router'
import { NotFoundPage } from '../features/not-found/NotFoundPage.tsx'

export const Route = createFileRoute('/404')({ component: NotFoundPage })
