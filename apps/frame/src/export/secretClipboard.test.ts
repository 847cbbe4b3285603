import { expect, test } from 'vitest'
import { createSecretClipboard } from './secretClipboard.ts'

/** A fake clipboard and a manual clock. */
function fakeClipboard({ refusesFrom = Infinity, isFocused = true } = {}) {
  const written: string[] = []
  const due: { act(): void; milliseconds: number; cancelled: boolean }[] = []
  const waiting: (() => void)[] = []
  const statuses: string[] = []
  const clipboard = createSecretClipboard({
    clipboard: {
      async writeText(text) {
        if (written.length >= refusesFrom) throw new DOMException('not focused', 'NotAllowedError')
        written.push(text)
      },
    },
    later(act, milliseconds) {
      const timer = { act, milliseconds, cancelled: false }
      due.push(timer)
      return () => void (timer.cancelled = true)
    },
    whenFocused: (act) => (isFocused ? act() : void waiting.push(act)),
  })
  const copy = (secret: string) => clipboard.copy(secret, (state) => statuses.push(state))
  const pass = async () => {
    for (const { act, cancelled } of due.splice(0)) if (!cancelled) act()
    await Promise.resolve()
  }
  return { clipboard, copy, written, due, statuses, pass, waiting }
}

test('a copied secret is overwritten after 60 seconds', async () => {
  const { copy, written, due, statuses, pass } = fakeClipboard()
  expect(await copy('twelve words')).toBe(true)
  expect(due.map(({ milliseconds }) => milliseconds)).toEqual([60_000])
  expect([written, statuses]).toEqual([['twelve words'], []])
  await pass()
  expect([written, statuses]).toEqual([['twelve words', ' '], ['cleared']])
})

test('copying a second secret restarts the minute', async () => {
  const { copy, written, pass, due } = fakeClipboard()
  await copy('one')
  await copy('two')
  expect(due.map(({ cancelled }) => cancelled)).toEqual([true, false])
  await pass()
  expect(written).toEqual(['one', 'two', ' '])
})

test('leaving the page overwrites the clipboard once', async () => {
  const { clipboard, copy, written, pass } = fakeClipboard()
  await copy('one')
  await clipboard.clear()
  await clipboard.clear()
  await pass()
  expect(written).toEqual(['one', ' '])
})

test('the clipboard is not overwritten if nothing was copied', async () => {
  const { clipboard, written } = fakeClipboard()
  await clipboard.clear()
  expect(written).toEqual([])
})

test('an unfocused page overwrites the clipboard when it gets the focus', async () => {
  const { copy, written, pass, waiting } = fakeClipboard({ isFocused: false })
  await copy('one')
  await pass()
  expect(written).toEqual(['one'])
  waiting[0]?.()
  await Promise.resolve()
  expect(written).toEqual(['one', ' '])
})

test('a clipboard that can’t be overwritten is reported', async () => {
  const { copy, statuses, pass } = fakeClipboard({ refusesFrom: 1 })
  await copy('one')
  await pass()
  await expect.poll(() => statuses).toEqual(['uncleared'])
})

test('a browser that refuses to copy is reported', async () => {
  expect(await fakeClipboard({ refusesFrom: 0 }).copy('one')).toBe(false)
  const none = createSecretClipboard({ clipboard: undefined, later: () => () => {}, whenFocused: (act) => act() })
  expect(await none.copy('one', () => {})).toBe(false)
})
