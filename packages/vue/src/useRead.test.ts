import { fakeWorld } from '@latchkey/core/fakes'
import { createSSRApp, effectScope, nextTick, ref, type Ref } from 'vue'
import { expect, onTestFinished, test } from 'vitest'
import { latchkeyPlugin } from './latchkeyPlugin.ts'
import { useRead, type Read } from './useRead.ts'

/** Reads whose outcomes the test decides, in any order. */
function openReads(subject: Ref<string | undefined>) {
  const { latchkey } = fakeWorld({})
  const app = createSSRApp({}).use(latchkeyPlugin(latchkey))
  const scope = effectScope()
  onTestFinished(() => scope.stop())
  const waiting = new Map<string, { resolve(value: string): void; reject(error: Error): void }>()
  const read = (_latchkey: unknown, about: string): Promise<string> =>
    new Promise((resolve, reject) => waiting.set(about, { resolve, reject }))
  const result = app.runWithContext(() => scope.run(() => useRead(subject, read)))
  const get = (about: string) => waiting.get(about) ?? expect.fail(`${about} was not read`)
  return { value: result ?? expect.fail('the scope ended'), get }
}

const getReadState = ({ data, status }: Read<string>): readonly unknown[] => [data.value, status.value]

test('a late response about an earlier subject does not replace a newer one', async () => {
  const subject = ref<string | undefined>('first')
  const { value, get } = openReads(subject)
  void value.refetch()
  subject.value = 'second'
  await nextTick()
  get('second').resolve('value of the second')
  get('first').resolve('value of the first')
  await expect.poll(() => getReadState(value)).toEqual(['value of the second', 'success'])
  await nextTick()
  expect(getReadState(value)).toEqual(['value of the second', 'success'])
})

test('a subject that disappears leaves no value, nor does a response about it', async () => {
  const subject = ref<string | undefined>('first')
  const { value, get } = openReads(subject)
  const read = value.refetch()
  get('first').resolve('value of the first')
  await read
  expect(getReadState(value)).toEqual(['value of the first', 'success'])
  const again = value.refetch()
  subject.value = undefined
  await nextTick()
  get('first').resolve('late')
  await again
  expect(getReadState(value)).toEqual([undefined, 'pending'])
})

test('a refetch keeps the value until it ends, and reports a failure', async () => {
  const { value, get } = openReads(ref('subject'))
  const first = value.refetch()
  get('subject').resolve('value')
  await first
  const second = value.refetch()
  expect([...getReadState(value), value.isFetching.value]).toEqual(['value', 'pending', true])
  const failure = new Error('away')
  get('subject').reject(failure)
  await second
  expect([...getReadState(value), value.error.value]).toEqual(['value', 'error', failure])
})
