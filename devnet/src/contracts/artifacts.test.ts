import { expect, test } from 'vitest'
import { compile, readArtifacts } from '../../scripts/compile.mjs'

test('the committed artifacts match the compiled contracts', { tags: 'faults' }, async () => {
  expect(await readArtifacts()).toEqual(await compile())
})
