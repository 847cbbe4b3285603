import { expect, test } from 'vitest'
import { compile, readArtifacts } from '../../scripts/compile.mjs'

test('the committed artifacts match the compiled contracts', async () => {
  expect(await readArtifacts()).toEqual(await compile())
})
