// Loaded into the server by a bench. Collects garbage on request, and reports the memory that is still in use, in MiB. Without
// it, the memory of a process also contains what Node.js has not collected yet, which grows for minutes.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

process.on('message', (message) => {
  if (message !== 'report memory') return
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ usedMiB: (heapUsed + external) / 2 ** 20 })
})
// The server must end although it listens for messages.
process.channel?.unref()
