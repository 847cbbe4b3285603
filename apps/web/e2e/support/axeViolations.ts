import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * The accessibility violations that axe finds on the page, one text each: the rule, the elements, and why they fail.
 *
 * Waits for running animations first. A row that fades in has too little contrast until it is opaque.
 *
 * @param page The page to check.
 * @param within A selector that limits the check. Without it, the whole page is checked.
 */
export async function axeViolations(page: Page, within?: string): Promise<readonly string[]> {
  await page.evaluate(finishAnimations)
  // Outside Chromium, axe can't open the blank page that it otherwise combines the results of frames in.
  const axe = new AxeBuilder({ page }).setLegacyMode(page.context().browser()?.browserType().name() !== 'chromium')
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze()
  return violations.map(({ id, nodes }) =>
    [id, ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`)].join('\n'),
  )
}

/** Like `axeViolations`, but finds none outside Chromium: axe crashes the tab of Firefox 153 that shows some of our lists. */
export async function axeViolationsInChromium(page: Page, within: string): Promise<readonly string[]> {
  return page.context().browser()?.browserType().name() === 'chromium' ? axeViolations(page, within) : []
}

/** Runs in the page. Resolves when no animation that ends is running, in the document or in its shadow roots. */
async function finishAnimations(): Promise<void> {
  const animationsIn = (root: Document | ShadowRoot): readonly Animation[] => [
    ...root.getAnimations(),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? animationsIn(shadowRoot) : [])),
  ]
  const ending = (): readonly Animation[] =>
    animationsIn(document).filter(
      ({ effect, playState }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
    )
  for (let running = ending(); running.length > 0; running = ending())
    await Promise.allSettled(running.map(({ finished }) => finished))
}
