import type { ReactElement } from 'react'

const paths = {
  back: 'M12.5 4.5 7 10l5.5 5.5',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  chevron: 'm6 8 4 4 4-4',
  close: 'm5 5 10 10M15 5 5 15',
  copy: 'M7 7h8.5v8.5H7zM4.5 13V4.5H13',
  exit: 'M8 4H5v12h3M9 10h7m-3-3 3 3-3 3',
  external: 'M8 5H5v10h10v-3M11 4.5h4.5V9M15 5l-6 6',
  key: 'M12.5 4a3.5 3.5 0 1 1-2.9 5.5L4 15v1.5h2.5V15H8v-1.5L10 11.4M13 7.2v.1',
  grid: 'M4.5 4.5h4v4h-4zM11.5 4.5h4v4h-4zM4.5 11.5h4v4h-4zM11.5 11.5h4v4h-4z',
  qr: 'M4 4h4.5v4.5H4zM11.5 4H16v4.5h-4.5zM4 11.5h4.5V16H4zM11.5 11.5v1.5m4.5-1.5v4.5M11.5 16h1.5',
  retry: 'M15.5 10a5.5 5.5 0 1 1-1.8-4.1M15.5 3.5V7H12',
  search: 'M13.5 8.75a4.75 4.75 0 1 1-9.5 0 4.75 4.75 0 0 1 9.5 0ZM12.2 12.2 16 16',
  warn: 'M10 6.5V11m0 2.5v.2M10 2.8a7.2 7.2 0 1 1 0 14.4 7.2 7.2 0 0 1 0-14.4Z',
}

export type IconName = keyof typeof paths

/** A picture beside words; never the only thing that tells what a control does. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }): ReactElement {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
