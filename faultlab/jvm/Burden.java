import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A small service with a real fault in it, until standard input ends: `java Burden.java KIND`.
 *
 * Prints one line as soon as the fault is there. Its heap is the launcher's to choose.
 */
public class Burden {
    private static final Object ACCOUNTS = new Object();
    private static final Object STOCK = new Object();
    private static final List<Object> KEPT = new ArrayList<>();
    private static volatile Object latest;

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "deadlock" -> deadlock();
            case "hot_lock" -> hotLock();
            case "pool_starved" -> poolStarved();
            case "slow_dependency" -> slowDependency();
            case "heap_small" -> heapSmall();
            case "allocation" -> allocation();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {
            // Whoever started this ends it by closing its input.
        }
        Runtime.getRuntime().halt(0);
    }

    /** Two workers take two locks in opposite order; the rest of the pool then waits for one of them. */
    private static void deadlock() throws InterruptedException {
        ExecutorService workers = Executors.newFixedThreadPool(6);
        workers.submit(() -> inOrder(ACCOUNTS, STOCK));
        workers.submit(() -> inOrder(STOCK, ACCOUNTS));
        Thread.sleep(600);
        repeat(workers, 4, () -> inOrder(ACCOUNTS, STOCK));
        Thread.sleep(200);
    }

    private static Object inOrder(Object first, Object second) throws InterruptedException {
        synchronized (first) {
            Thread.sleep(200);
            synchronized (second) {
                return first;
            }
        }
    }

    /** Everybody needs the same lock for each request. */
    private static void hotLock() {
        repeat(Executors.newFixedThreadPool(24), 24, () -> {
            while (true) {
                synchronized (ACCOUNTS) {
                    Thread.sleep(1);
                }
            }
        });
    }

    /** Each request hands a part of its work to the pool that it runs in, and waits for it. */
    private static void poolStarved() throws InterruptedException {
        ExecutorService workers = Executors.newFixedThreadPool(8);
        repeat(workers, 8, () -> {
            Thread.sleep(200);
            Future<?> part = workers.submit(() -> latest = "done");
            return part.get();
        });
        Thread.sleep(500);
    }

    /** Workers that call a service on the loopback which takes every call and answers none. */
    private static void slowDependency() throws IOException, InterruptedException {
        ServerSocket service = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread listener = new Thread(() -> takeAll(service), "listener");
        listener.setDaemon(true);
        listener.start();
        URL address = new URL("http://127.0.0.1:" + service.getLocalPort() + "/stock");
        repeat(Executors.newFixedThreadPool(8), 8, () -> ((HttpURLConnection) address.openConnection()).getResponseCode());
        Thread.sleep(500);
    }

    private static void takeAll(ServerSocket service) {
        try {
            while (true) {
                Socket taken = service.accept();
                KEPT.add(taken);
            }
        } catch (IOException ended) {
            latest = ended;
        }
    }

    /** What is in use nearly fills the heap, and each request needs a little more for a moment. */
    private static void heapSmall() throws InterruptedException {
        fill(0.94);
        serve(0, () -> latest = new byte[512 * 1024]);
        Thread.sleep(300);
    }

    /** Objects by the hundred megabytes a second that nobody keeps, in a small young generation. */
    private static void allocation() {
        serve(1, () -> latest = new byte[256 * 1024]);
    }

    private static void serve(long restMillis, Callable<Object> request) {
        repeat(Executors.newFixedThreadPool(2), 2, () -> {
            while (true) {
                try {
                    request.call();
                } catch (OutOfMemoryError full) {
                    latest = full;
                }
                Thread.sleep(restMillis);
            }
        });
    }

    private static void fill(double share) {
        MemoryPoolMXBean old = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .filter(pool -> pool.getName().contains("Old") || pool.getName().contains("Tenured"))
            .findFirst().orElseThrow();
        System.gc();
        long missing = (long) (share * old.getUsage().getMax()) - old.getUsage().getUsed();
        for (long kept = 0; kept < missing; kept += 64 * 1024) {
            KEPT.add(new byte[64 * 1024 - 16]);
        }
        System.gc();
    }

    private static void repeat(ExecutorService workers, int times, Callable<Object> request) {
        for (int number = 0; number < times; number++) {
            workers.submit(request);
        }
    }
}
