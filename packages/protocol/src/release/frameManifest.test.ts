import { expect, test } from 'vitest'
import { manifestLimits, parseFrameManifest } from './frameManifest.ts'

const hash = 'ab'.repeat(32)
const parse = (value: unknown) => parseFrameManifest(Buffer.from(JSON.stringify(value)))

test('paths and hashes of a manifest are returned', () => {
  const { release, files } = parse({ release: '1.0.0', files: { 'assets/main-a_B-1.js': hash }, packages: [] })
  expect([release, [...files]]).toEqual(['1.0.0', [['assets/main-a_B-1.js', hash]]])
})

test.each([
  '../secret',
  'a/../../secret',
  '/etc/passwd',
  '..',
  '.env',
  'a/./b',
  'a//b',
  'a\\..\\b',
  '%2e%2e/b',
  'https://evil.example/a.js',
  '//evil.example/a.js',
  'a b',
  'a?b',
  'a#b',
  '',
  'a/',
  'a\n',
  'a'.repeat(201),
])('the path %j of a hostile manifest is refused [S-10]', (path) => {
  expect(() => parse({ files: { [path]: hash } })).toThrow('is not allowed')
})

test.each(['', 'AB'.repeat(32), 'ab'.repeat(31), 7, null])('the hash %j is refused', (value) => {
  expect(() => parse({ files: { 'a.js': value } })).toThrow('SHA-256')
})

test('a file named like a field of every object is an ordinary file', () => {
  const { files } = parseFrameManifest(Buffer.from(`{"files":{"__proto__":"${hash}","constructor":"${hash}"}}`))
  expect([...files.keys()]).toEqual(['__proto__', 'constructor'])
})

test.each([[''], ['null'], ['[]'], ['{}'], ['{"files":[]}'], ['{"release":7,"files":{}}'], ['{"files":']])(
  'the manifest %j is refused',
  (text) => {
    expect(() => parseFrameManifest(Buffer.from(text))).toThrow('The release of the frame is not valid')
  },
)

test('a manifest beyond the limits is refused before it is parsed [S-10]', () => {
  const many = Object.fromEntries(Array.from({ length: manifestLimits.files + 1 }, (_, at) => [`a${at}`, hash]))
  expect(() => parse({ files: many })).toThrow('more than')
  expect(() => parseFrameManifest(Buffer.alloc(manifestLimits.bytes + 1, ' '))).toThrow('too large')
})
