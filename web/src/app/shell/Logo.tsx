/** The furnace, drawn in the page itself: its pot is as light as the page is dark. The tab has it as a file. */
export function Logo({ size }: { size: number }) {
  return (
    <svg className="logo" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <path
        className="logo-flame"
        d="M16 2.5c1.2 2.9 4.6 4.6 4.6 8.1a4.6 4.6 0 0 1-9.2 0c0-1.6.7-2.8 1.6-3.9.2 1.2.8 2 1.7 2.4C14.300 6.700 14.800 4.400 16 2.500z"
      />
      <path
        className="logo-pot"
        d="M5.500 15h21a1.500 1.500 0 0 1 0 3h-.8c-.3 4.100-2.300 7.300-5.200 8.800l1.100 2.300a1 1 0 0 1-1.800.9l-1.300-2.600a12.700 12.700 0 0 1-5 0L12.200 30a1 1 0 0 1-1.800-.9l1.100-2.300C8.600 25.300 6.600 22.100 6.300 18h-.8a1.500 1.500 0 0 1 0-3z"
      />
    </svg>
  );
}
