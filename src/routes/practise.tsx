import { createFileRoute } from '@tanstack/react-router'
import { PracticePage } from '../features/redemptions/practice/Practice.tsx'

export const Route = createFileRoute('/practise')({ component: PracticePage })
