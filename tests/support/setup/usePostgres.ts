import { inject } from 'vitest'

// Support that browser tests use as well finds the server of a run by its environment.
process.env['TEST_DATABASE_URL'] = inject('postgres')
