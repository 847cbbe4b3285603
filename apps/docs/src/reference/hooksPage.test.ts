import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { hooksPage } from './hooksPage.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

test('Vue has a composable for every hook of the page, except useTheme', async () => {
  const names = [...(await hooksPage(root)).matchAll(/^## `(\w+)`$/gm)].map(([, name = '']) => name)
  const composables = await readFile(`${root}packages/vue/src/index.ts`, 'utf8')
  expect(names).toContain('useAccount')
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b[,\\s]`).test(composables))).toEqual(['useTheme'])
})
