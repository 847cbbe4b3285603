import { describeBus } from '../../testing/describeBus.ts'
import { createInProcessBus } from './bus.ts'

describeBus('in one process', async () => ({ open: async () => createInProcessBus(), close: async () => {} }))
