import { memoryStorage } from '@latchkey/core'
import { describeConnector, fakeNetwork } from '@latchkey/core/testing'
import { embedded } from './embedded.ts'
import { fakeFrame } from './testing/fakeFrame.ts'

describeConnector('embedded', () => {
  const storage = memoryStorage()
  const frame = fakeFrame()
  const make = (): ReturnType<typeof embedded> =>
    embedded({ frame: 'https://wallet.example', projectId: 'ab', open: frame.open, storage })
  return {
    connector: make(),
    networks: [
      fakeNetwork(),
      fakeNetwork({ id: 10 }),
      fakeNetwork({ namespace: 'solana', id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }),
    ],
    approve: frame.approve,
    decline: frame.decline,
    leave: () => frame.setLoggedIn(false),
    reload: make,
  }
})
