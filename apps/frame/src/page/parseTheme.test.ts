import { describe, expect, test } from 'vitest'
import { parseTheme } from './parseTheme.ts'

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
  ])('accepts %s', (value) => {
    const themeVariables = { '--latchkey-accent': value }
    expect(parseTheme({ themeMode: 'dark', themeVariables })).toEqual({ themeMode: 'dark', themeVariables })
  })

  test('applies known names only [I-14]', () => {
    const themeVariables = {
      '--latchkey-accent': '#fff',
      // The text of a request must stay readable.
      '--latchkey-text': '#fff',
      '--latchkey-card': '#fff',
      '--latchkey-on-accent': '#fff',
      '--evil': 'url(x)',
      background: 'red',
    }
    expect(parseTheme({ themeVariables }).themeVariables).toEqual({ '--latchkey-accent': '#fff' })
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
    'url(x) #fff',
    'url(x) rgb(1, 2, 3)',
    'url(x) oklch(0.7 0.1 200)',
    'oklch(0.7 0.1 200) url(x)',
    'url(x) 12px',
    '12px url(x)',
    '\\75rl(x)',
    'a'.repeat(65),
    '',
  ])('with %s is refused as a whole [I-14]', (value) => {
    expect(() => parseTheme({ themeMode: 'dark', themeVariables: { '--latchkey-accent': value } })).toThrow(
      'neither a colour nor a length',
    )
  })
})
