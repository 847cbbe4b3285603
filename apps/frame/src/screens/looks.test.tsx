import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { listAxeViolations } from '../testing/renderScreen.ts'
import { situations, type ScreenCase } from '../testing/situations.ts'
import { englishMessages, loadFrameMessages } from '../messages/loadFrameMessages.ts'

beforeEach(() => page.viewport(360, 640))

/** Shows a screen and clicks through to its state. */
async function renderScreenCase(
  { show, press = [], moves }: ScreenCase,
  messages = englishMessages,
): Promise<HTMLElement> {
  const root = show(messages)
  for (const selector of press) {
    await expect.poll(() => root.querySelector(selector)).not.toBeNull()
    root.querySelector<HTMLElement>(selector)?.click()
  }
  await expect.poll(() => root.querySelector('.spinner') === null).toBe(moves !== true)
  return root
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(situations)('$name has no axe violations in either direction', async (situation) => {
    document.documentElement.dataset['theme'] = theme
    const root = await renderScreenCase(situation)
    expect(await listAxeViolations(root)).toEqual([])
    document.documentElement.dir = 'rtl'
    expect(await listAxeViolations(root)).toEqual([])
  })
})

describe.each(['en', 'de', 'ar', 'ru', 'ja'])('in the language %s', (locale) => {
  test.each(situations)(
    '$name fits into 320 pixels, and its controls are 44 pixels high',
    { tags: 'browsers' },
    async (situation) => {
      await page.viewport(320, 640)
      const root = await renderScreenCase(situation, await loadFrameMessages([locale]))
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
      const visible = [...root.querySelectorAll('button, .field')].filter((each) => each.checkVisibility())
      const heights = visible.map((each) => each.getBoundingClientRect().height)
      expect(heights.filter((height) => height < 44)).toEqual([])
    },
  )
})
