import { expect, test } from 'vitest'
import { compile, readArtifacts } from '../../scripts/compile.mjs'

test('keeps the artifacts that the contracts compile to', { timeout: 120_000 }, async () => {
  expect(await readArtifacts()).toEqual(await compile())
})
