import { describeRateLimiters } from '../../testing/describeRateLimiters.ts'
import { systemClock } from '../runtime/clock.ts'
import { createInProcessRateLimiters } from './rateLimiters.ts'

describeRateLimiters('in one process', async () => ({
  open: async () => createInProcessRateLimiters(systemClock),
  close: async () => {},
}))
