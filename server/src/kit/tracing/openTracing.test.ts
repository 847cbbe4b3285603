import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { openTracing } from './openTracing.ts'
import { startOtlpReceiver } from './testing/startOtlpReceiver.ts'

async function open(share: number) {
  const { log } = Fastify({ logger: false })
  const receiver = await startOtlpReceiver()
  const tracing = openTracing({ endpoint: receiver.url, headers: {}, serviceName: 'test', version: '1', share, log })
  onTestFinished(async () => {
    await tracing.close()
    await receiver.close()
  })
  return tracing
}

test.each([
  { name: 'while another span is recorded', isOtherOpen: true },
  // Node.js then doesn't track the context of promises, which costs each of them.
  { name: 'unless no span is recorded any longer', isOtherOpen: false },
])('work that continues after its span has ended is still inside it $name', async ({ isOtherOpen }) => {
  const tracing = await open(1)
  const [one, other] = [tracing.start('one'), tracing.start('other')]
  const isInside = (): boolean => {
    const child = tracing.startChild('child')
    child?.end()
    return child !== undefined
  }
  let continueWork = (): void => undefined
  const work = tracing.within(one, async () => {
    const before = isInside()
    await new Promise<void>((resolve) => (continueWork = resolve))
    return [before, isInside()]
  })
  one.end()
  if (!isOtherOpen) other.end()
  continueWork()
  expect(await work).toEqual([true, isOtherOpen])
})
