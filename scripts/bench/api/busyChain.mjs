// A chain with blocks of 170 transactions, in a process of its own: `fork('busyChain.mjs', ['2000'])`. Sends its URL.
import { startBusyChain } from '@latchkey/server/testing'

const chain = await startBusyChain({ head: Number(process.argv[2]) })
process.send?.({ url: chain.url })
process.once('SIGTERM', () => void chain.close().then(() => process.exit()))
process.once('disconnect', () => process.exit())
