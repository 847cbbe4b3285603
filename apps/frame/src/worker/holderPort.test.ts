import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import { createHolderClient, serveHolder } from './holderPort.ts'
import type { KeyHolder } from './keyHolder.ts'

/** A page, and a worker with only the given methods. */
function connectTo(methods: Partial<KeyHolder>) {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  // Each test calls the methods that it gives.
  serveHolder(port2, Promise.resolve(methods as KeyHolder))
  return { port: port1, holder: createHolderClient(port1) }
}
const fail = (error: unknown) => ({
  lock: async () => {
    throw error
  },
})

describe('the channel to the key holder', () => {
  test('carries arguments and results, and gives each response to its call', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const { holder } = connectTo({
      // The first call is slow, so that the responses come in the other order.
      revokeDevice: async (id) =>
        id === 'one' ? released : Promise.reject(new ServiceRefusal(404, String(id), 'Unknown.')),
    })
    const first = holder.revokeDevice('one', { stolen: false })
    await expect(holder.revokeDevice('two', { stolen: false })).rejects.toMatchObject({ field: 'two' })
    release()
    expect(await first).toBeUndefined()
  })

  test('keeps what screens distinguish of an error, and no cause', async () => {
    const context = { rule: 'unknown' } as const
    const known = new LatchkeyError('policy/exceeded', context, { sentence: 'Too much.', cause: new Error('secret') })
    const error = await connectTo(fail(known))
      .holder.lock()
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'policy/exceeded', context, message: known.message })
    expect(error).not.toHaveProperty('cause')
    const refusal = await connectTo(fail(new ServiceRefusal(429, 'email', 'Wait.')))
      .holder.lock()
      .catch((caught: unknown) => caught)
    expect(refusal).toBeInstanceOf(ServiceRefusal)
    expect(refusal).toMatchObject({ status: 429, field: 'email', message: 'Wait.' })
  })

  test('hides the messages of all other errors, which may contain a secret', async () => {
    const error = await connectTo(fail(new TypeError('seed word abandon')))
      .holder.lock()
      .catch((caught: unknown) => caught)
    expect(error).toEqual(new Error('Something went wrong'))
  })

  test('calls the methods of a key holder only, and ignores other messages', async () => {
    const called: string[] = []
    const methods = { lock: async () => void called.push('lock'), entropy: async () => called.push('entropy') }
    const { port, holder } = connectTo(methods)
    const replies: unknown[] = []
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => replies.push(data))
    for (const verb of ['entropy', 'constructor', 'hasOwnProperty', '__proto__'])
      port.postMessage({ call: 90, verb, args: [] })
    port.postMessage({ call: 'one', verb: 'lock', args: [] })
    await holder.lock()
    expect(called).toEqual(['lock'])
    expect(replies).toHaveLength(1)
  })

  test('ignores responses to no call', async () => {
    const { port1, port2 } = new MessageChannel()
    onTestFinished(() => port1.close())
    const holder = createHolderClient(port1)
    const locked = holder.lock()
    port2.postMessage({ reply: 7, value: 'wrong' })
    port2.postMessage({ reply: 1, value: 'right' })
    port2.postMessage({ reply: 1, failure: { message: 'late' } })
    expect(await locked).toBe('right')
  })
})
