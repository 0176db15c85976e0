import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import '../src/style.css';

export const metadata: Metadata = { title: 'Agent' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}
