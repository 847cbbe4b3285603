import { describe, expect, test } from 'vitest'
import { readTheme } from './readTheme.ts'

describe('a theme', () => {
  test.each([
    '#fff',
    '#1a2b3c4d',
    'rgb(1, 2, 3)',
    'hsl(120 50% 50% / 0.5)',
    'oklch(0.7 0.1 200)',
    'rebeccapurple',
    '12px',
    '0.5rem',
  ])('may colour with %s', (value) => {
    const themeVariables = { '--latchkey-accent': value }
    expect(readTheme({ themeMode: 'dark', themeVariables })).toEqual({ themeMode: 'dark', themeVariables })
  })

  test('is heard for the names that the frame knows, and no others [I-14]', () => {
    const themeVariables = {
      '--latchkey-accent': '#fff',
      // What is asked must not vanish in its own colour.
      '--latchkey-text': '#fff',
      '--latchkey-card': '#fff',
      '--latchkey-on-accent': '#fff',
      '--evil': 'url(x)',
      background: 'red',
    }
    expect(readTheme({ themeVariables }).themeVariables).toEqual({ '--latchkey-accent': '#fff' })
  })

  test.each([
    'url(https://evil.example/x)',
    'URL("//evil.example")',
    'expression(alert(1))',
    'var(--x)',
    'image-set("x")',
    'rgb(1,2,3);background:url(x)',
    'rgb(url(x))',
    '</style><script>1</script>',
    '#fff}*{display:none',
    '\\75rl(x)',
    'a'.repeat(65),
    '',
  ])('with %s is refused whole [I-14]', (value) => {
    expect(() => readTheme({ themeMode: 'dark', themeVariables: { '--latchkey-accent': value } })).toThrow(
      'neither a colour nor a length',
    )
  })
})
