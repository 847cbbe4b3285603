import type { Page } from '@playwright/test'
import { axeViolations } from './support/axeViolations.ts'
import { expect, test } from './support/fixtures.ts'

const themes = ['light', 'dark'] as const
const phone = { width: 390, height: 844 }

/** The origins that a page sends requests to. */
function recordOrigins(page: Page): Set<string> {
  const origins = new Set<string>()
  page.on('request', (request) => void origins.add(new URL(request.url()).origin))
  return origins
}

const sizes = { phone, desktop: { width: 1280, height: 800 } }
/** The landing page, a quick start, generated references, long guides, tables and code. */
const pages = [
  '/',
  '/start/react',
  '/reference/options',
  '/start/sign-in-server',
  '/sign-in',
  '/hooks',
  '/errors',
  '/operate',
]
/** These run for every change, and the others in `npm run test:browsers`. */
const usual = new Set(['/ dark desktop', '/start/react light phone'])

/** Firefox reads the theme from the system. */
function tagsOf(path: string, colorScheme: string, size: string): readonly string[] {
  const isUsual = usual.has(`${path} ${colorScheme} ${size}`)
  return [...(isUsual ? [] : ['@variant']), ...(colorScheme === 'dark' ? ['@chromium'] : [])]
}

for (const colorScheme of themes) {
  for (const [name, size] of Object.entries(sizes)) {
    for (const path of pages) {
      test(
        `the documentation page ${path} has no accessibility violation on a ${name} in the ${colorScheme} theme`,
        { tag: [...tagsOf(path, colorScheme, name)] },
        async ({ page, urls }) => {
          await page.setViewportSize(size)
          await page.emulateMedia({ colorScheme })
          await page.goto(`${urls.docs}${path}`)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expect(page.locator('html.dark')).toHaveCount(colorScheme === 'dark' ? 1 : 0)
          expect(await axeViolations(page)).toEqual([])
        },
      )
    }
  }
}

test('the search of the documentation finds a hook with the keyboard, and no other origin is contacted', async ({
  page,
  urls,
}) => {
  const origins = recordOrigins(page)
  await page.goto(urls.docs)
  const search = page.getByRole('searchbox')
  // The page is text before its script runs, and no key opens the search until then.
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(search).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await search.fill('useSignMessage')
  await expect(page.getByRole('option').first()).toContainText('useSignMessage')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/(reference\/)?hooks/)
  await expect(page.getByRole('main')).toContainText('useSignMessage')
  expect([...origins]).toEqual([urls.docs])
})

test(
  'a page of the documentation has its text and its theme before its code has loaded, which takes the page over',
  { tag: '@chromium' },
  async ({ page, urls }) => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => void (release = resolve))
    await page.route('**/assets/app.*.js', async (route) => {
      await released
      await route.continue()
    })
    const errors: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${urls.docs}/hooks`, { waitUntil: 'commit' })
    const heading = page.getByRole('heading', { level: 1, name: 'Hooks' })
    await expect(heading).toBeVisible()
    await expect(page.locator('html.dark')).toHaveCount(1)
    const rendered = await heading.elementHandle()
    release()
    // The outline is made by code.
    await expect(page.getByRole('navigation', { name: 'On this page' }).getByRole('link').first()).toBeVisible()
    expect(await rendered?.evaluate((element) => element.isConnected)).toBe(true)
    await page.getByRole('navigation', { name: 'Sidebar Navigation' }).getByRole('link', { name: 'Theming' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Theming' })).toBeVisible()
    expect(errors).toEqual([])
  },
)

// Read from the markup. `renderBlockingStatus` depends on timing for `rel="preload stylesheet"`: the style sheet counts as
// non-blocking if the preload starts before the browser treats the link as a style sheet.
test('a page of the documentation waits for one style sheet and one script before its first paint', async ({
  browser,
  urls,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${urls.docs}/hooks`)
  const blocking = await page
    .locator('link[rel~=stylesheet], head script[src]:not([type=module]):not([async]):not([defer])')
    .evaluateAll((elements) =>
      elements.map((element) =>
        (element.getAttribute('href') ?? element.getAttribute('src'))?.replace(/\.[\w-]+\./, '.'),
      ),
    )
  await context.close()
  expect(blocking.toSorted()).toEqual(['/assets/inline.js', '/assets/style.css'])
})

test('code in the documentation is highlighted under the strict policy', async ({ page, urls }) => {
  const response = await page.goto(`${urls.docs}/start/react`)
  expect(await response?.headerValue('content-security-policy')).toContain("script-src 'self'; style-src 'self';")
  const color = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).color)
  expect(await color('.code-keyword')).not.toBe(await color('.vp-code'))
})

test('the documentation fits a phone, and its menu leads to every section', async ({ page, urls }) => {
  await page.setViewportSize(phone)
  for (const path of ['/', '/start/next', '/reference/options', '/errors']) {
    await page.goto(`${urls.docs}${path}`)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, path).toBeLessThanOrEqual(0)
  }
  const sidebar = page.getByRole('navigation', { name: 'Sidebar Navigation' })
  const link = sidebar.getByRole('link', { name: 'Theming' })
  await expect(async () => {
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(link).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Theming' })).toBeVisible()
})

test('the landing page leads to the documentation', async ({ page, urls }) => {
  await page.goto(urls.web)
  const link = page.getByRole('link', { name: 'Documentation' }).first()
  await expect(link).toHaveAttribute('href', urls.docs)
})

test('the files for language models have the pages as Markdown', async ({ request, urls }) => {
  const list = await (await request.get(`${urls.docs}/llms.txt`)).text()
  const paths = [...list.matchAll(/\]\((\/[^)]*\.md)\)/g)].map(([, path = '']) => path)
  expect(paths).toContain('/hooks.md')
  for (const path of paths) expect((await request.get(`${urls.docs}${path}`)).status(), path).toBe(200)
  expect(await (await request.get(`${urls.docs}/llms-full.txt`)).text()).toContain('# Hooks')
})
