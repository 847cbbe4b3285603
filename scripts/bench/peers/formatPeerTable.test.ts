import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../lib/root.mjs'
import measured from './measured.json' with { type: 'json' }
import { formatPeerTable, placePeerTable } from './formatPeerTable.mjs'

test('the README contains the table of the measured figures', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  expect(placePeerTable(readme, formatPeerTable(measured))).toBe(readme)
})

test('a document without the comments is refused', () => {
  expect(() => placePeerTable('# Text', '| |')).toThrow('The comments around the table of peers are missing.')
})
