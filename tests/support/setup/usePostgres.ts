import { inject } from 'vitest'

// Support that browser tests use too finds the server of a run in the environment.
process.env['TEST_DATABASE_URL'] = inject('postgres')
